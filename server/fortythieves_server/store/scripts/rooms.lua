--- head
-- What every script does first that appends events or deletes: the epoch must be the room's. The time of a room never
-- goes back, and runs on if the clock goes back: ARGV[4] is the time of the room at the process, at least its last entry.
local meta = redis.call('HMGET', KEYS[1], 'epoch', 'last')
if not meta[1] then return {'gone'} end
if meta[1] ~= ARGV[1] then return {'epoch', meta[1]} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
now = math.max(now, tonumber(meta[2] or 0), tonumber(ARGV[4]))
local at = string.format('%.0f', now)

--- position
-- What comes after the head of a script that appends to a log at KEYS[2], which has to be at ARGV[2], its last entry
-- with the time and id ARGV[3]. No two commits have the same, so logs with equal last entries are equal.
local n = redis.call('LLEN', KEYS[2])
local expected = tonumber(ARGV[2])
if n < expected then return {'lost'} end
if expected > 0 then
  local last = string.match(redis.call('LINDEX', KEYS[2], expected - 1), '^%d+ %S+')
  if last ~= ARGV[3] then return {'lost'} end
end

--- create
-- Opens a room.
-- KEYS meta log; ARGV epoch id event, and up to which part of its memory limit Redis opens rooms.
if redis.call('EXISTS', KEYS[1]) == 1 then
  local head = redis.call('HGET', KEYS[1], 'epoch')
  if head ~= ARGV[1] then return {'taken'} end
  return {'ok', redis.call('HGET', KEYS[1], 'created')}
end
local memory = redis.call('INFO', 'memory')
local most = tonumber(string.match(memory, '[\r\n]maxmemory:(%d+)'))
if most > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) >= most * ARGV[4] then return {'full'} end
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'created', at, 'last', at)
redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])
return {'ok', at}

--- commit
-- Appends events to a room's log. Without events, it only looks whether it has done so before.
-- KEYS meta log; ARGV epoch n last now id channel notification, count of events, events, then seat-move-log checks:
-- (KEYS[2+i]) expected length, seal field. Without a notification, nothing is published.
if n > expected then
  local stamp = string.match(redis.call('LINDEX', KEYS[2], expected), '^(%d+) ' .. ARGV[5] .. ' ')
  if stamp then return {'ok', stamp} end
  return {'behind'}
end
local count = tonumber(ARGV[8])
if count == 0 then return {'behind'} end
for i = 3, #KEYS do
  local check = 8 + count + (i - 3) * 2
  if redis.call('LLEN', KEYS[i]) ~= tonumber(ARGV[check + 1]) then return {'behind'} end
end
for i = 3, #KEYS do
  redis.call('HSET', KEYS[1], ARGV[8 + count + (i - 3) * 2 + 2], 1)
end
for i = 1, count do
  redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[5] .. ' ' .. ARGV[8 + i])
end
redis.call('HSET', KEYS[1], 'last', at)
if ARGV[7] ~= '' then redis.call('PUBLISH', ARGV[6], ARGV[7]) end
return {'ok', at}

--- renew
-- Gives a room another epoch, unless its logs hold all that a process has read of them.
-- KEYS meta log progress, then the log of each seat; ARGV old epoch, new epoch, the number of events that it has read and
-- the time and id of the last one, then for each seat: the seat, the number of entries, the hash of the log with these.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return {'epoch'} end
local event = redis.call('LINDEX', KEYS[2], ARGV[3] - 1)
local kept = event and string.match(event, '^%d+ %S+') == ARGV[4]
for i = 4, #KEYS do
  local seat, known, hash = unpack(ARGV, i * 3 - 7, i * 3 - 5)
  local entries, log = redis.pcall('LRANGE', KEYS[i], 0, -1), '-'
  local same = known == '0'
  for k, entry in ipairs(entries) do
    log = extended(log, entry)
    same = same or k == tonumber(known) and log == hash
  end
  kept = kept and same and log == string.match(redis.call('HGET', KEYS[3], seat) or '-', '%S+$')
end
if kept then return {'kept'} end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return {'ok'}

--- mend
-- Stores the progress of seats as it follows from their logs, because a row may be missing, or of another log.
-- KEYS meta progress, then the log of each seat; ARGV epoch race, then for each seat: the seat, the length of its log, its
-- row.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return {'epoch'} end
local moves = 0
for i = 3, #KEYS do
  local seat, length, row = unpack(ARGV, i * 3 - 6, i * 3 - 4)
  local n = redis.call('LLEN', KEYS[i])
  if n == tonumber(length) then redis.call('HSET', KEYS[2], seat, row) end
  moves = moves + n
end
redis.call('HSET', KEYS[1], 'moves:' .. ARGV[2], moves)
return {'ok'}

--- seat_log
-- The log of a seat from an entry on, and the row of its progress, which has the hash of the whole log.
-- KEYS log progress; ARGV start, seat
return {redis.call('LRANGE', KEYS[1], ARGV[1], -1), redis.call('HGET', KEYS[2], ARGV[2]) or '-'}

--- delete
-- Forgets a room.
-- KEYS meta log, and all others of the room; ARGV epoch n last now
if n > expected then return {'behind'} end
for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return {'ok', at}
