-- Adds a deal to the pool, unless there are enough of its stars. KEYS[6] shows that it was added, also after it was dealt.
-- ARGV stars, entry, the most of these stars, for how many seconds KEYS[6] is kept
if redis.call('LLEN', KEYS[2 + ARGV[1]]) >= tonumber(ARGV[3]) then return {'full'} end
if not redis.call('SET', KEYS[6], 1, 'NX', 'EX', ARGV[4]) then return {'known'} end
redis.call('RPUSH', KEYS[2 + ARGV[1]], ARGV[2])
return {'ok'}
