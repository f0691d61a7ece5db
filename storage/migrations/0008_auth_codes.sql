-- The codes of the native sign-in have a partition of their own, as every kind. A user's identity at a provider is its
-- `other_key`: emails and identities are decided by the one registration actor, so the race of two columns can't happen to them.
create table actor_authcode partition of actor for values in ('authCode');
create unique index actor_authcode_unique_key on actor_authcode (unique_key) where unique_key is not null;
create unique index actor_authcode_other_key on actor_authcode (other_key) where other_key is not null;
