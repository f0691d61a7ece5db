-- The keys of the members that a step changed: a process that has an earlier state in memory reads only these. Null for none; empty
-- for more than are worth naming, after which the actor is read whole. No process has a state in memory that is older than this.
alter table journal add column members text[] collate "C";
-- Which transition wrote a member told what had changed, but not what was removed, and to find it all members were read.
alter table member drop column seq;
