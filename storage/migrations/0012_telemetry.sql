-- Telemetry: what was sent to be kept, by month as the streams. `at` is when the server received it; together with `number` it is
-- the order in which lists have them.
create sequence telemetry_record_number as bigint cache 1;
create table telemetry_record (
  at bigint not null,
  number bigint not null default nextval('telemetry_record_number'),
  kind text collate "C" not null,
  happened bigint not null,
  severity smallint,
  severity_text text,
  event_name text,
  body text,
  -- Whether `body` is JSON rather than the text itself.
  body_json boolean not null,
  attributes text not null,
  resource text not null,
  session_id text collate "C",
  trace_id text collate "C",
  span_id text collate "C",
  record_id text
) partition by range (at);
create index telemetry_record_order on telemetry_record (kind, at, number);
create index telemetry_record_session on telemetry_record (session_id, at) where session_id is not null;
create index telemetry_record_trace on telemetry_record (trace_id, at) where trace_id is not null;
create table telemetry_record_default partition of telemetry_record default;

-- The names that senders gave to records, as the first 128 bits of a SHA-256: one that stands here was kept already. A unique
-- index of the table above would have to have its month in it, so that a repeat in the next month would pass.
create table telemetry_key (
  key uuid primary key,
  at bigint not null
);
create index telemetry_key_at on telemetry_key using brin (at);

-- Whether telemetry is collected: one actor.
create table actor_telemetrysettings partition of actor for values in ('telemetrySettings');
