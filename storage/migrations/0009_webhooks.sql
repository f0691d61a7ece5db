-- Integrations and what is delivered to them. A delivery is named by the ID that its sender gave it (`unique_key`) and by its body
-- (`other_key`); the two begin with other words, so the race of two columns can't happen to them.
create table actor_integration partition of actor for values in ('integration');
create unique index actor_integration_unique_key on actor_integration (unique_key) where unique_key is not null;
create unique index actor_integration_other_key on actor_integration (other_key) where other_key is not null;

create table actor_webhookdelivery partition of actor for values in ('webhookDelivery');
create unique index actor_webhookdelivery_unique_key on actor_webhookdelivery (unique_key) where unique_key is not null;
create unique index actor_webhookdelivery_other_key on actor_webhookdelivery (other_key) where other_key is not null;
