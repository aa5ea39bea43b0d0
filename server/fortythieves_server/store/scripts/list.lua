-- Lists rooms on the front page, or no longer; of each address those in which something has happened last.
-- KEYS rooms order; ARGV now, how many of one address, then of each room: address, code, active_at, until (0: no longer)
local now, most = tonumber(ARGV[1]), tonumber(ARGV[2])
for i = 3, #ARGV, 4 do
  local address, code, rows = ARGV[i], ARGV[i + 1], {}
  if tonumber(ARGV[i + 3]) > now then rows[1] = {code, ARGV[i + 2], ARGV[i + 3]} end
  for other, active, till in string.gmatch(redis.call('HGET', KEYS[1], address) or '', '(%S+) (%d+) (%d+)') do
    if other ~= code and tonumber(till) > now then rows[#rows + 1] = {other, active, till} end
  end
  if #rows == 0 then
    redis.call('HDEL', KEYS[1], address)
    redis.call('ZREM', KEYS[2], address)
  else
    table.sort(rows, function(one, other) return tonumber(one[2]) > tonumber(other[2]) end)
    local kept = {}
    for k = 1, math.min(most, #rows) do kept[k] = table.concat(rows[k], ' ') end
    redis.call('HSET', KEYS[1], address, table.concat(kept, ' '))
    redis.call('ZADD', KEYS[2], rows[1][2], address)
  end
end
return redis.status_reply('OK')
