-- Tells the other processes of a room that people have reacted. Nothing is stored.
-- KEYS log; ARGV channel, process, how many of each sign
redis.call('PUBLISH', ARGV[1], ARGV[2] .. ' reactions ' .. ARGV[3])
return {'ok'}
