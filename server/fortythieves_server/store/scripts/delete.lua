-- Forgets a room.
-- KEYS meta log, and all others of the room; ARGV epoch n last
if n > expected then return {'behind'} end
for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return {'ok', at}
