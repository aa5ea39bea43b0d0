--- extended
-- The hash of a log with one more entry (`playthrough.extended`).
local function extended(log, entry) return string.sub(redis.sha1hex(log .. entry), 1, 16) end

--- moves
-- Appends moves to the logs of seats that race in one race of a room, one to each.
-- KEYS meta progress log, then the log of each move; ARGV "epoch starts_at ends_at race length last channel now process
-- listeners", then each move: "seat n log text" and its row of progress, with 0 for the time of this entry as that
-- since when so many cards are home, and without the time of the entry and the hash of the log at its end. n and log
-- are the length and the hash of the log to which the move was decided. length and last are the length of the room's
-- log with the race, and the time of its last event. now is the time of the room at the process.
-- Answers for each move: the time of its entry and the hash of the log with it, or why it was not made. Then, if the
-- process publishes later, the notification.
local MOVE = '^(%d+) (%d+) (%S+) (%S+) (%d+ %d+) (%d+) (.*)$'
local COMMON = '^(%S+) (%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (%d+) (%S+) (%S+)$'
local epoch, starts_at, ends_at, race, length, last, channel, least, process, listeners = string.match(ARGV[1], COMMON)
local seats, fields = {}, {'epoch', 'last', 'moves:' .. race}
for i = 4, #KEYS do
  seats[i - 3] = string.match(ARGV[i - 2], '^%d+')
  fields[i] = 'sealed:' .. race .. ':' .. seats[i - 3]
end
local meta = redis.call('HMGET', KEYS[1], unpack(fields))
if not meta[1] then return {'gone'} end
if meta[1] ~= epoch then return {'epoch'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
now = math.max(now, tonumber(meta[2] or 0), tonumber(least))
local at = string.format('%.0f', now)
-- The first entry of a log is of the deal in this room's log. Another Redis may have another race of the same number.
local function knows_race()
  return string.match(redis.call('LINDEX', KEYS[3], length - 1) or '', '^%d+') == last
end
local held = redis.call('HMGET', KEYS[2], unpack(seats))
local answers, rows, said = {}, {}, {process .. ' moves ' .. race}
for i = 4, #KEYS do
  local seat, n, log, text, before, reached, after = string.match(ARGV[i - 2], MOVE)
  n = tonumber(n)
  local first = math.max(n - 1, 0)
  local found = redis.pcall('LRANGE', KEYS[i], first, n + 1)
  local known, there, more = found[1], found[n - first + 1], found[n - first + 2]
  local hash = string.match(held[i - 3] or '-', '%S+$')
  local answer
  if found.err or n > 0 and not known then
    answer = 'lost'
  elseif there then
    local stamp, made = string.match(there, '^(%d+) (.*)$')
    answer = made == text and not more and extended(log, there) == hash and stamp .. ' ' .. hash or 'behind'
    if answer ~= 'behind' then said[#said + 1] = seat .. ' ' .. held[i - 3] end
  elseif hash ~= log or n == 0 and not knows_race() then
    answer = 'lost'
  elseif meta[i] then
    answer = 'sealed'
  elseif now < tonumber(starts_at) then
    answer = 'early'
  elseif now >= tonumber(ends_at) then
    answer = 'late'
  else
    local entry = at .. ' ' .. text
    redis.call('RPUSH', KEYS[i], entry)
    answer = at .. ' ' .. extended(log, entry)
    local row = before .. ' ' .. (reached == '0' and at or reached) .. ' ' .. after .. ' ' .. answer
    rows[#rows + 1] = seat
    rows[#rows + 1] = row
    said[#said + 1] = seat .. ' ' .. row
  end
  answers[i - 3] = answer
end
if #rows > 0 then
  redis.call('HSET', KEYS[2], unpack(rows))
  redis.call('HSET', KEYS[1], 'last', at, fields[3], (meta[3] or 0) + #rows / 2)
  -- The process that commits gets the answer. If no other process listens, nothing is published.
  if listeners ~= 'later' and redis.call('PUBSUB', 'NUMSUB', channel)[2] > tonumber(listeners) then
    redis.call('PUBLISH', channel, table.concat(said, '\n'))
  end
end
if listeners == 'later' then answers[#answers + 1] = table.concat(said, '\n') end
return answers
