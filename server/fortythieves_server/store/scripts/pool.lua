--- pool_head
-- What every script of a pool does first: a key of another type than ours is thrown away, because nothing in it can be
-- read. KEYS claims (hash: owner -> stars that were asked for, then an entry a line), claimed (zset: owner -> time in
-- ms), ready deals of 1, 2 and 3 stars (lists, the next one first); or a quota (zset).
for i, kind in ipairs(#KEYS == 1 and {'zset'} or {'hash', 'zset', 'list', 'list', 'list'}) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= kind and found ~= 'none' then redis.call('DEL', KEYS[i]) end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

--- pool_quota
-- Counts a race of an address against its quota, once. Returns 1 if the quota is used up, otherwise 0.
-- KEYS zset: owner -> when (ms); ARGV owner, quota, ms for which a race counts
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[3]))
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 1 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 0

--- pool_claim
-- Takes deals from the pool for an owner, who gets the same ones each time he asks.
-- ARGV owner, how many, the most claims, stars (0: any), then entries that cannot be dealt: others take their places.
local owner, needed, stars = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4])
local bad, kept = {}, {}
for i = 5, #ARGV do bad[ARGV[i]] = true end
local claim, head = redis.call('HGET', KEYS[1], owner), ARGV[4] .. '\n'
if not claim and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return {'short', '0'} end
-- A claim of other stars is never put back: whoever made it may be about to deal it.
if claim and string.sub(claim, 1, 2) == head then
  for entry in string.gmatch(string.sub(claim, 3), '[^\n]+') do
    if not bad[entry] and #kept < needed then kept[#kept + 1] = entry end
  end
end
if #kept < needed then
  local lengths, ready = {}, #kept
  for i = 3, 5 do
    if stars == 0 or i == 2 + stars then
      lengths[i] = redis.call('LLEN', KEYS[i])
      ready = ready + lengths[i]
    end
  end
  if ready < needed then return {'short', tostring(ready)} end
  while #kept < needed do
    local fullest = stars == 0 and 3 or 2 + stars
    for i = 3, 5 do
      if lengths[i] and lengths[i] > lengths[fullest] then fullest = i end
    end
    kept[#kept + 1] = redis.call('LPOP', KEYS[fullest])
    lengths[fullest] = lengths[fullest] - 1
  end
  redis.call('HSET', KEYS[1], owner, head .. table.concat(kept, '\n'))
end
redis.call('ZADD', KEYS[2], 'NX', string.format('%.0f', now), owner)
table.insert(kept, 1, 'ok')
return kept

--- pool_settle
-- Ends a claim. Its deals go back, except the one that was used; without ARGV[3] all are thrown away.
-- KEYS[6] shows that this was done: sent again, it must not end the next claim of the same owner.
-- ARGV owner, for how many seconds KEYS[6] is kept, the secret that was used (another claim of the owner may have it)
if not redis.call('SET', KEYS[6], 1, 'NX', 'EX', ARGV[2]) then return {'ok'} end
local claim, entries = redis.call('HGET', KEYS[1], ARGV[1]), {}
for entry in string.gmatch(string.sub(claim or '', 3), '[^\n]+') do entries[#entries + 1] = entry end
for _, entry in ipairs(ARGV[3] and entries or {}) do
  local secret, stars = string.match(entry, '^(%x+) ([123]) ')
  if secret and secret ~= ARGV[3] then redis.call('RPUSH', KEYS[2 + stars], entry) end
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return {'ok', tostring(#entries)}

--- pool_add
-- Adds a deal to the pool, unless there are enough of its stars. KEYS[6] shows that it was added, also after it was dealt.
-- ARGV stars, entry, the most of these stars, for how many seconds KEYS[6] is kept
if redis.call('LLEN', KEYS[2 + ARGV[1]]) >= tonumber(ARGV[3]) then return {'full'} end
if not redis.call('SET', KEYS[6], 1, 'NX', 'EX', ARGV[4]) then return {'known'} end
redis.call('RPUSH', KEYS[2 + ARGV[1]], ARGV[2])
return {'ok'}

--- pool_unsettled
-- The owners of claims that are older than ARGV[1] ms, the oldest first, at most ARGV[2].
-- A claim whose time is lost would stay forever: its time begins now.
if redis.call('HLEN', KEYS[1]) > redis.call('ZCARD', KEYS[2]) then
  for _, owner in ipairs(redis.call('HKEYS', KEYS[1])) do
    redis.call('ZADD', KEYS[2], 'NX', string.format('%.0f', now), owner)
  end
end
local before = string.format('%.0f', now - ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', before, 'LIMIT', 0, tonumber(ARGV[2]))
