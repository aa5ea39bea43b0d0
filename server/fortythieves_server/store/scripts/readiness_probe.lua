-- Says that a process is alive, and returns to it as a notification.
-- KEYS process (its channel has the same name); ARGV seconds until it no longer counts as alive, number of the probe
redis.call('SET', KEYS[1], '1', 'EX', ARGV[1])
redis.call('PUBLISH', KEYS[1], ARGV[2])
return {'ok'}
