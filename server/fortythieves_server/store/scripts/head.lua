-- What every script does first that appends events or deletes: the epoch must be the room's, and time never goes back
-- within a room.
local meta = redis.call('HMGET', KEYS[1], 'epoch', 'last')
if not meta[1] then return {'gone'} end
if meta[1] ~= ARGV[1] then return {'epoch', meta[1]} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if meta[2] and tonumber(meta[2]) > now then now = tonumber(meta[2]) end
local at = string.format('%.0f', now)
