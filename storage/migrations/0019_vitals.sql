-- What an agent said of its machine with its latest heartbeat; null where it has said nothing since this column is there.
alter table presence add column load double precision, add column free_memory bigint;
