-- The order in which records of telemetry become visible, for streams that continue where they stopped.

-- The ID of the transaction that wrote the record, as `journal.tx`: a record may become visible after one with a greater number. 0 for
-- records that were written before this migration, which no stream contains.
alter table telemetry_record add column tx bigint not null default 0;
alter table telemetry_record alter column tx drop default;
-- The records of a kind after a position. Records from before this migration have no entry, so it is created without sorting them.
create index telemetry_record_stream on telemetry_record (kind, tx, number) where tx > 0;

-- The greatest `tx` of the months of telemetry that were dropped, as `gone` is for the journal.
alter table journal_position add column telemetry_gone bigint not null default 0;
