-- The owners of claims that are older than ARGV[1] ms, the oldest first, at most ARGV[2].
-- A claim whose time is lost would stay forever: its time begins now.
if redis.call('HLEN', KEYS[1]) > redis.call('ZCARD', KEYS[2]) then
  for _, owner in ipairs(redis.call('HKEYS', KEYS[1])) do
    redis.call('ZADD', KEYS[2], 'NX', string.format('%.0f', now), owner)
  end
end
local before = string.format('%.0f', now - ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', before, 'LIMIT', 0, tonumber(ARGV[2]))
