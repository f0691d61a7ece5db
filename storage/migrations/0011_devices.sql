-- Devices and their enrolments have partitions of their own, as every kind. A device is found by its UDID's hash, so that one
-- that was removed, and whose identifiers are gone, is the same one when it enrols again.
create table actor_device partition of actor for values in ('device');
create unique index actor_device_unique_key on actor_device (unique_key) where unique_key is not null;
create unique index actor_device_other_key on actor_device (other_key) where other_key is not null;
create table actor_deviceenrollment partition of actor for values in ('deviceEnrollment');
create unique index actor_deviceenrollment_unique_key on actor_deviceenrollment (unique_key) where unique_key is not null;
create unique index actor_deviceenrollment_other_key on actor_deviceenrollment (other_key) where other_key is not null;
