-- Ends a claim. Its deals go back, except the one that was used; without ARGV[3] all are thrown away.
-- KEYS[6] shows that this was done: sent again, it must not end the next claim of the same owner.
-- ARGV owner, for how many seconds KEYS[6] is kept, the secret that was used (another claim of the owner may have it)
if not redis.call('SET', KEYS[6], 1, 'NX', 'EX', ARGV[2]) then return {'ok'} end
local claim, entries = redis.call('HGET', KEYS[1], ARGV[1]), {}
for entry in string.gmatch(string.sub(claim or '', 3), '[^\n]+') do entries[#entries + 1] = entry end
for _, entry in ipairs(ARGV[3] and entries or {}) do
  local secret, stars = string.match(entry, '^(%x+) ([123]) ')
  if secret and secret ~= ARGV[3] then redis.call('RPUSH', KEYS[2 + stars], entry) end
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return {'ok', tostring(#entries)}
