-- Gives a room another epoch.
-- KEYS meta; ARGV old epoch, new epoch
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return {'epoch'} end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return {'ok'}
