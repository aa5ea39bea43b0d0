-- What every script of a pool does first: a key of another type than ours is thrown away, because nothing in it can be
-- read. KEYS claims (hash: owner -> stars that were asked for, then an entry a line), claimed (zset: owner -> time in
-- ms), ready deals of 1, 2 and 3 stars (lists, the next one first).
for i, kind in ipairs({'hash', 'zset', 'list', 'list', 'list'}) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= kind and found ~= 'none' then redis.call('DEL', KEYS[i]) end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
