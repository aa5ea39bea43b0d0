-- What comes after the head of a script that appends to a log at KEYS[2], which has to be at ARGV[2], its last entry
-- of the time ARGV[3]. A log that lost its end and grew again has entries of other times.
local n = redis.call('LLEN', KEYS[2])
local expected = tonumber(ARGV[2])
if n < expected then return {'lost'} end
if expected > 0 then
  local stamp = string.match(redis.call('LINDEX', KEYS[2], expected - 1), '^%d+')
  if stamp ~= ARGV[3] then return {'lost'} end
end
