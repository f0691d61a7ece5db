-- Blobs on S3. Each part is one object, which is written before its row and never changed. So the rows decide which bytes a blob has: an
-- object without a row, which a crash or a late request left, is not part of any blob.
create table blob_part (
  name text collate "C" not null,
  -- The position of the part's first byte in the blob. The parts of a blob have no gaps.
  start bigint not null,
  -- Bytes. The object may have more, which were cut off.
  size bigint not null,
  -- The key of the object. Null for an empty blob.
  object text collate "C",
  -- Milliseconds since 1970.
  changed_at bigint not null,
  primary key (name, start)
);
-- The newest writer of a blob. Changes by older ones change nothing.
create table blob_writer (
  name text collate "C" primary key,
  writer bigint not null
);
-- The sweep asks which of the objects that it has found belong to a blob.
create index blob_part_object on blob_part (object) where object is not null;
