-- The rooms that the front page lists, of the addresses where something has happened last: the code and the time of
-- each, in no order. Addresses of which nothing is listed any more are forgotten, also some of those at the end.
-- KEYS rooms order; ARGV now, how many addresses
local now, found = tonumber(ARGV[1]), {}
local function look(addresses, tell)
  for _, address in ipairs(addresses) do
    local any = false
    for code, active, till in string.gmatch(redis.call('HGET', KEYS[1], address) or '', '(%S+) (%d+) (%d+)') do
      if tonumber(till) > now then
        any = true
        if tell then found[#found + 1] = {code, active} end
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
