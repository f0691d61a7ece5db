-- The table `migration` of a database that was made before there was a baseline.
create table migration (
  name text collate "C" primary key,
  hash text collate "C" not null,
  applied_at timestamptz not null default now()
);
insert into migration (name, hash) values
  ('0001_actors', '203cba215a0d1d81e64313f6481cd18b6dfd48a40a8e4b7d7e2d112e079b3419'),
  ('0002_streams', '1eb2a6e562d177b6564c31ea228ec64241bc53f6d8b2afda308fcec8494f80e9'),
  ('0003_processes', '852c6fbc0e30802d87a36bb226404177737d2f20ef74e931c518cf138fce883f'),
  ('0004_failed_effects', '92e4692851e80c98a238328a3c2cc26d77a9b9cb853ffaece2af9fdb1a9a2dfa'),
  ('0005_kind_history', '2d1267719f4b764224ebe1972137bb7090c08fece37a47def9f382e8ff3f8ac6'),
  ('0006_hot_steps', '426e64cb07aba049e80862f42b833fae26334d58d7659fbe2c4493c2222f4ec8'),
  ('0007_codebase_paths', '4d6a07649e8c94a0302f850c015ce9fceae4cd7f20f248e6533f08fc5eecb246'),
  ('0008_auth_codes', 'c7c8489d645377f893b88f0e63bf3d41020dd3524bed55702150ac1d16d6c69b'),
  ('0009_webhooks', 'b464c2cfb324689c129965ea964f92218c036db7b4d564089136bdad6c978978'),
  ('0010_push_devices', '421cd4e1e5844b38dba0e003dcbe5785d8635fc66e83c74e4ac6a5f76fdf720e'),
  ('0011_devices', 'd07ba50d13e4595d71bc2557b3e260da17e5f68026b9520460d43b98523a192e'),
  ('0012_telemetry', '7e7d135ad2a42171c1a89a2de06bdf6afa16e511f586384df929b064b7beb9b8'),
  ('0013_tool_calls', '9567641210deab2112ebd60d6f09a52986117de0f8c3a8dae8afe82174b5e97a'),
  ('0014_apps', 'dae0d521746a2c36c7043cdbe2f1441ae9368e09b499a4bffdd6dd091a6724be'),
  ('0015_presets', '0396580e9560610432dee39fbef8b59832705b49f83ac79394d9fe1ba9809f85'),
  ('0016_mcp_servers', '71a7134616d8a806494879aaeedb3807393915eb7f56c45d8c8461246482715f'),
  ('0017_search', 'ff98e3c9c5a072ed512894cd7c6425a6dcc15448380f7ea5fc047fcc400f4c1b'),
  ('0018_tool_grants', 'b9f87960816ab6a1ff1f91d778de514393a28c5b15da361ecf5f53185f6a1f13'),
  ('0019_vitals', 'f9ee8fc5e825138941051818b425bdd5bfb7db34311ff1de90e7b7653ab510ee'),
  ('0020_run_parents', '3fffe5fbc3f85c8f63e749d5f44b6da04a69ccacbb944c087a526d0c1f1b4799'),
  ('0021_quarantine', '9b37908ccfbdae3343fe741c10ce38a146450a32564878b5160d7da486a1a990'),
  ('0022_contents', 'c111a14f59530e929a31d1d7421342da45a22baca626fcaf4baee4288495b284'),
  ('0023_release', 'fd746d8628e4fdd3d0cd738d38050ddffb8057971210a852436f3b5dc0aa32c0'),
  ('0024_write_probe', '9247ffa66c645f9402d64f50c5276b1e46d43009cf6f353a85ddc8bc4529594e'),
  ('0025_member_seq', '429663899976438b9a2476d37546e34aa55c55f0018c8ccd0b1d99ea5c3b0265'),
  ('0026_living_jobs', '97b92e4f5c02ae6b81b3d653719bda32cb3e54c80399bc596b70d97227152d83'),
  ('0027_changed_members', 'c64906a266f310ab607bc3d27d7e35a22d028cbaeaff8056948db49e822ca129');
