--- list
-- Lists rooms on the front page, or no longer; of each address those in which something has happened last.
-- KEYS rooms order summaries; ARGV now, how many of one address, then of each room: address, code, active_at, until
-- (0: no longer), summary
local now, most = tonumber(ARGV[1]), tonumber(ARGV[2])
for i = 3, #ARGV, 5 do
  local address, code, rows = ARGV[i], ARGV[i + 1], {}
  if tonumber(ARGV[i + 3]) > now then
    rows[1] = {code, ARGV[i + 2], ARGV[i + 3]}
    redis.call('HSET', KEYS[3], code, ARGV[i + 4])
  else
    redis.call('HDEL', KEYS[3], code)
  end
  for other, active, till in string.gmatch(redis.call('HGET', KEYS[1], address) or '', '(%S+) (%d+) (%d+)') do
    if other ~= code then
      if tonumber(till) > now then
        rows[#rows + 1] = {other, active, till}
      else
        redis.call('HDEL', KEYS[3], other)
      end
    end
  end
  if #rows == 0 then
    redis.call('HDEL', KEYS[1], address)
    redis.call('ZREM', KEYS[2], address)
  else
    table.sort(rows, function(one, other) return tonumber(one[2]) > tonumber(other[2]) end)
    for k = most + 1, #rows do redis.call('HDEL', KEYS[3], rows[k][1]) end
    local kept = {}
    for k = 1, math.min(most, #rows) do kept[k] = table.concat(rows[k], ' ') end
    redis.call('HSET', KEYS[1], address, table.concat(kept, ' '))
    redis.call('ZADD', KEYS[2], rows[1][2], address)
  end
end
return redis.status_reply('OK')

--- listed
-- The rooms that the front page lists, of the addresses where something has happened last: the time and the summary of
-- each, in no order. Addresses without listed rooms are forgotten, also some of those at the end.
-- KEYS rooms order summaries; ARGV now, how many addresses
local now, found = tonumber(ARGV[1]), {}
local function look(addresses, tell)
  for _, address in ipairs(addresses) do
    local any = false
    for code, active, till in string.gmatch(redis.call('HGET', KEYS[1], address) or '', '(%S+) (%d+) (%d+)') do
      if tonumber(till) > now then
        any = true
        if tell then found[#found + 1] = {active, redis.call('HGET', KEYS[3], code) or ''} end
      else
        redis.call('HDEL', KEYS[3], code)
      end
    end
    if not any then
      redis.call('HDEL', KEYS[1], address)
      redis.call('ZREM', KEYS[2], address)
    end
  end
end
look(redis.call('ZRANGE', KEYS[2], 0, 20), false)
look(redis.call('ZREVRANGE', KEYS[2], 0, tonumber(ARGV[2]) - 1), true)
return found

--- publish
-- Notifies other processes. Nothing is stored.
-- KEYS channel; ARGV notification
redis.call('PUBLISH', KEYS[1], ARGV[1])
return {'ok'}

--- confirm
-- Does nothing. If commits wait for replicas, its answer shows that these have all that was read before.
return {'ok'}

--- swap
-- Puts a value in the place of another one, if that is still there.
-- KEYS key; ARGV old value, new value
local now = redis.call('GET', KEYS[1])
if now == ARGV[2] then return {'ok'} end
if now ~= ARGV[1] then return {'behind'} end
redis.call('SET', KEYS[1], ARGV[2])
return {'ok'}

--- swap_in
-- Does the same in a hash. An empty old value: there is none.
-- KEYS key; ARGV field, old value, new value
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') == ARGV[2] then redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return {'ok'}

--- readiness_probe
-- Says that a process is alive, and returns to it as a notification.
-- KEYS process (its channel has the same name); ARGV seconds until it no longer counts as alive, number of the probe
redis.call('SET', KEYS[1], '1', 'EX', ARGV[1])
redis.call('PUBLISH', KEYS[1], ARGV[2])
return {'ok'}

--- refused_commands
-- The commands that the user may not run. Each is tried with more and more arguments, until their number is right.
-- KEYS process (a string, so that most commands do nothing); ARGV seconds until that expires, and the commands
local refused = {}
for i = 2, #ARGV do
  local words, found = {}, {err = 'wrong number'}
  for word in string.gmatch(ARGV[i], '%S+') do words[#words + 1] = word end
  while type(found) == 'table' and string.find(string.lower(found.err or ''), 'wrong number') and #words < 9 do
    found = redis.pcall(unpack(words))
    words[#words + 1] = KEYS[1]
  end
  -- Redis 6 has another text.
  local why = type(found) == 'table' and found.err or ''
  if string.find(why, 'ACL failure') or string.find(why, 'user executing') then
    refused[#refused + 1] = ARGV[i] .. (string.find(why, 'channel') and ' on the channels ft:*' or '')
  end
  redis.pcall('SET', KEYS[1], '1', 'EX', ARGV[1])
end
return refused
