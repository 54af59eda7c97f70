-- deploy/citus.sql — spreads the tables of a gateway over the machines of a Citus cluster by merchant account.
-- Run it once, on the coordinator, after the first start has created the tables and while no node runs: docs/scaling.md.
-- `SET citus.shard_count = 64;` before it chooses another number of shards than the 32 of Citus.
BEGIN;
SELECT create_distributed_table('records', 'account');
SELECT create_distributed_table(name, 'account', colocate_with => 'records')
  FROM unnest(ARRAY['feeds', 'events', 'erasures', 'unique_keys', 'effects', 'timers', 'idempotency', 'search_terms', 'search_days',
    'documents', 'document_feeds']) AS name;
-- Finds the account of a request, so each machine has all of it.
SELECT create_reference_table('account_keys');
COMMIT;
