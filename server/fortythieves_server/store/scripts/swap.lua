-- Puts a value in the place of another one, if that is still there.
-- KEYS key; ARGV old value, new value
local now = redis.call('GET', KEYS[1])
if now == ARGV[2] then return {'ok'} end
if now ~= ARGV[1] then return {'behind'} end
redis.call('SET', KEYS[1], ARGV[2])
return {'ok'}
