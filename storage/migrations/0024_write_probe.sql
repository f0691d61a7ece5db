-- One row that is updated to find out whether this database can be written to.
create table write_probe (
  one boolean primary key default true check (one),
  at timestamptz not null default now()
);
