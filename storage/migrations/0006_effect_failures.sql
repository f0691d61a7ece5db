-- Attempts of effects that failed are counted apart from attempts that did not end because their process ended.

-- The attempts since the last decision of an operator that ended with a problem. Rows that were written before this migration begin at 0, so
-- such an effect may be attempted more often before it fails.
alter table outbox add column failures integer not null default 0;
