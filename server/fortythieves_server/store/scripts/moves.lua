--- moves
-- Appends moves to the logs of seats that race in one race of a room, one to each.
-- KEYS meta progress, then the log of each move; ARGV "epoch starts_at ends_at race channel process listeners", then each
-- move: "seat n last text" and its row of progress, with 0 for the time of this entry as that since when so many cards
-- are home, and without the time of the entry at its end.
-- Answers with the time, and then for each move: '' if it was made, the time at which it was made already, or why not.
local MOVE = '^(%d+) (%d+) (%d+) (%S+) (%d+ %d+) (%d+) (.*)$'
local fields = {'epoch', 'last'}
local COMMON = '^(%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (%S+)$'
local epoch, starts_at, ends_at, race, channel, process, listeners = string.match(ARGV[1], COMMON)
for i = 3, #KEYS do fields[i] = 'sealed:' .. race .. ':' .. string.match(ARGV[i - 1], '^%d+') end
local meta = redis.call('HMGET', KEYS[1], unpack(fields))
if not meta[1] then return {'gone'} end
if meta[1] ~= epoch then return {'epoch'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if meta[2] and tonumber(meta[2]) > now then now = tonumber(meta[2]) end
local at = string.format('%.0f', now)
local answers, rows, said = {at}, {}, {process .. ' moves ' .. race}
for i = 3, #KEYS do
  local seat, n, last, text, before, reached, after = string.match(ARGV[i - 1], MOVE)
  n = tonumber(n)
  local first = math.max(n - 1, 0)
  local found = redis.pcall('LRANGE', KEYS[i], first, n + 1)
  local known, there, more = found[1], found[n - first + 1], found[n - first + 2]
  local answer = ''
  if found.err or n > 0 and (not known or string.match(known, '^%d+') ~= last) then
    answer = 'lost'
  elseif there then
    local stamp, made = string.match(there, '^(%d+) (.*)$')
    answer = made == text and not more and stamp or 'behind'
  elseif meta[i] then
    answer = 'sealed'
  elseif now < tonumber(starts_at) then
    answer = 'early'
  elseif now >= tonumber(ends_at) then
    answer = 'late'
  else
    redis.call('RPUSH', KEYS[i], at .. ' ' .. text)
    local row = before .. ' ' .. (reached == '0' and at or reached) .. ' ' .. after .. ' ' .. at
    rows[#rows + 1] = seat
    rows[#rows + 1] = row
    said[#said + 1] = seat .. ' ' .. row
  end
  answers[#answers + 1] = answer
end
if #rows > 0 then
  redis.call('HSET', KEYS[2], unpack(rows))
  redis.call('HSET', KEYS[1], 'last', at)
  -- Whoever commits hears of it by the answer; where nobody else listens there is nobody to tell.
  if redis.call('PUBSUB', 'NUMSUB', channel)[2] > tonumber(listeners) then
    redis.call('PUBLISH', channel, table.concat(said, '\n'))
  end
end
return answers
