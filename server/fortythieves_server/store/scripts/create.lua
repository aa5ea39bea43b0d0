-- Opens a room.
-- KEYS meta log; ARGV epoch id event summary, and up to which part of its memory limit Redis opens rooms.
if redis.call('EXISTS', KEYS[1]) == 1 then
  local head = redis.call('HGET', KEYS[1], 'epoch')
  if head ~= ARGV[1] then return {'taken'} end
  return {'ok', redis.call('HGET', KEYS[1], 'created')}
end
local memory = redis.call('INFO', 'memory')
local most = tonumber(string.match(memory, '[\r\n]maxmemory:(%d+)'))
if most > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) >= most * ARGV[5] then return {'full'} end
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'created', at, 'last', at, 'summary', ARGV[4])
redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])
return {'ok', at}
