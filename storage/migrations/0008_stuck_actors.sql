-- Crash reports and their groups wait for ever, in any number. Looking for those that are stuck reads no others. See storage/views/stuck.ts.
create index actor_crashreport_stuck_at on actor_crashreport (stuck_at) where stuck_at is not null;
create index actor_crashreport_unwatched on actor_crashreport (id) where unwatched;
create index actor_crashgroup_stuck_at on actor_crashgroup (stuck_at) where stuck_at is not null;
create index actor_crashgroup_unwatched on actor_crashgroup (id) where unwatched;
