-- Apps with their crash reports and debug symbols. A binary's image is found by its ID, which is made of its UUID; the others by what
-- is unique of them: an app's bundle identifier, a report's own UUID, a dSYM's set of UUIDs, a repository.
create table actor_app partition of actor for values in ('app');
create unique index actor_app_unique_key on actor_app (unique_key) where unique_key is not null;
create unique index actor_app_other_key on actor_app (other_key) where other_key is not null;
create table actor_crash partition of actor for values in ('crash');
create unique index actor_crash_unique_key on actor_crash (unique_key) where unique_key is not null;
create unique index actor_crash_other_key on actor_crash (other_key) where other_key is not null;
create table actor_dsym partition of actor for values in ('dsym');
create unique index actor_dsym_unique_key on actor_dsym (unique_key) where unique_key is not null;
create unique index actor_dsym_other_key on actor_dsym (other_key) where other_key is not null;
create table actor_binaryimage partition of actor for values in ('binaryImage');
create unique index actor_binaryimage_unique_key on actor_binaryimage (unique_key) where unique_key is not null;
create unique index actor_binaryimage_other_key on actor_binaryimage (other_key) where other_key is not null;
create table actor_repositorypreparations partition of actor for values in ('repositoryPreparations');
create unique index actor_repositorypreparations_unique_key on actor_repositorypreparations (unique_key) where unique_key is not null;
create unique index actor_repositorypreparations_other_key on actor_repositorypreparations (other_key) where other_key is not null;

-- Devices that were registered by anybody are found by the app that they are registered for.
update actor_apnsdevice set scope_id = init::json ->> 'topic';
