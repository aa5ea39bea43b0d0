-- Appends a move to a seat's log.
-- KEYS meta moves progress; ARGV epoch n last text starts_at ends_at seal-field seat channel nudge-head
-- moves home reached_at stock outcome (reached_at 0: the time of this entry)
if n > expected then
  local stamp, text = string.match(redis.call('LINDEX', KEYS[2], expected), '^(%d+) (.*)$')
  if n == expected + 1 and text == ARGV[4] then return {'ok', stamp} end
  return {'behind'}
end
if redis.call('HEXISTS', KEYS[1], ARGV[7]) == 1 then return {'sealed'} end
if now < tonumber(ARGV[5]) then return {'early'} end
if now >= tonumber(ARGV[6]) then return {'late'} end
redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[4])
local reached = ARGV[13]
if reached == '0' then reached = at end
local row = ARGV[11] .. ' ' .. ARGV[12] .. ' ' .. reached .. ' ' .. ARGV[14] .. ' ' .. ARGV[15] .. ' ' .. at
redis.call('HSET', KEYS[3], ARGV[8], row)
redis.call('HSET', KEYS[1], 'last', at)
redis.call('PUBLISH', ARGV[9], ARGV[10] .. ' ' .. row)
return {'ok', at}
