-- Ends a claim. Its deals go back, except the one that was used; without ARGV[3] all are thrown away.
-- KEYS[6] shows that this was done: sent again, it must not end the next claim of the same owner.
-- ARGV owner, for how many seconds KEYS[6] is kept, how many deals a claim has, which one was used (0: none)
if not redis.call('SET', KEYS[6], 1, 'NX', 'EX', ARGV[2]) then return {'ok'} end
local claim, entries = redis.call('HGET', KEYS[1], ARGV[1]), {}
for entry in string.gmatch(string.sub(claim or '', 3), '[^\n]+') do entries[#entries + 1] = entry end
-- Of a claim that somebody has cut, nobody knows which deal was used.
if ARGV[3] and #entries == tonumber(ARGV[3]) then
  for i, entry in ipairs(entries) do
    local stars = string.match(entry, '^%x+ ([123]) ')
    if stars and i ~= tonumber(ARGV[4]) then redis.call('RPUSH', KEYS[2 + stars], entry) end
  end
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return {'ok', tostring(#entries)}
