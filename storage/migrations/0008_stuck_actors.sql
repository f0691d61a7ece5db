-- The actors that can be stuck, so that looking for those that are reads no others. See storage/views/stuck.ts.
create index actor_by_stuck_at on actor (stuck_at) where stuck_at is not null;
create index actor_by_unwatched on actor (id) where unwatched;
