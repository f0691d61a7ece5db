-- Devices that apps register, and what is sent to them, each kind in a partition of its own. A device's registration key is
-- its `unique_key`, so two first registrations at once make one device.
create table actor_apnsdevice partition of actor for values in ('apnsDevice');
create unique index actor_apnsdevice_unique_key on actor_apnsdevice (unique_key) where unique_key is not null;
create unique index actor_apnsdevice_other_key on actor_apnsdevice (other_key) where other_key is not null;

create table actor_notificationdevice partition of actor for values in ('notificationDevice');
create unique index actor_notificationdevice_unique_key on actor_notificationdevice (unique_key) where unique_key is not null;
create unique index actor_notificationdevice_other_key on actor_notificationdevice (other_key) where other_key is not null;

create table actor_notification partition of actor for values in ('notification');
create unique index actor_notification_unique_key on actor_notification (unique_key) where unique_key is not null;
create unique index actor_notification_other_key on actor_notification (other_key) where other_key is not null;
