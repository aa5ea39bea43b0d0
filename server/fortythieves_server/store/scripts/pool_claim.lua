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
