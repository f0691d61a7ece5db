-- Which program works on this database: a name made of its schema and its machines. A commit of any other one fails, because
-- `journal.tx` gets no value then. Null until a program of this version or a later one has started.
alter table journal_position add column release text collate "C";

-- The server's timeline, which is another one after a fail-over or a recovery to a point in time. What a lost end of the old
-- timeline had, nobody can say; so cursors from before are gone.
alter table journal_position add column timeline bigint;
