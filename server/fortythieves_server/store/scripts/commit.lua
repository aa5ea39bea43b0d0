-- Appends events to a room's log.
-- KEYS meta log; ARGV epoch n last id channel nudge summary, count of events, events, then seat-move-log checks:
-- (KEYS[2+i]) expected length, seal field.
if n > expected then
  local stamp = string.match(redis.call('LINDEX', KEYS[2], expected), '^(%d+) ' .. ARGV[4] .. ' ')
  if stamp then return {'ok', stamp} end
  return {'behind'}
end
local count = tonumber(ARGV[8])
for i = 3, #KEYS do
  local check = 8 + count + (i - 3) * 2
  if redis.call('LLEN', KEYS[i]) ~= tonumber(ARGV[check + 1]) then return {'behind'} end
end
for i = 3, #KEYS do
  redis.call('HSET', KEYS[1], ARGV[8 + count + (i - 3) * 2 + 2], 1)
end
for i = 1, count do
  redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[4] .. ' ' .. ARGV[8 + i])
end
redis.call('HSET', KEYS[1], 'last', at, 'summary', ARGV[7])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return {'ok', at}
