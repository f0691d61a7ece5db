-- The sequence of the transition that wrote the row: a process that has an earlier state in memory reads only what changed since.
-- Rows from before this migration have 0. No process has a state in memory that is older than them.
-- Not indexed, so that an update of a member touches no index.
alter table member add column seq integer not null default 0;
