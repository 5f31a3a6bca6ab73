/** Lists the rights of a PostgreSQL role beyond reading rows. */
import type { SqlClient } from '../sql-client.ts'

/** Selects the current role and the login role. The login role counts because the session can switch back to it. */
const ROLES = 'pg_catalog.pg_roles WHERE rolname IN (current_user, session_user)'

/** Selects rights beyond tables: to the server, its files and other roles. */
const POWERS = `
SELECT 'is a superuser' AS privilege FROM ${ROLES} AND rolsuper
UNION ALL SELECT 'may ' || what FROM pg_catalog.pg_roles,
  LATERAL (VALUES (rolcreaterole, 'create roles'), (rolcreatedb, 'create databases'), (rolreplication, 'replicate'),
    (rolbypassrls, 'bypass row security')) AS may (yes, what)
  WHERE rolname IN (current_user, session_user) AND yes
UNION ALL SELECT 'is a member of ' || rolname FROM pg_catalog.pg_roles
  WHERE (rolsuper AND rolname NOT IN (current_user, session_user)
    OR rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend',
      'pg_checkpoint', 'pg_maintain', 'pg_create_subscription', 'pg_read_all_settings', 'pg_monitor'))
  AND (pg_has_role(current_user, oid, 'MEMBER') OR pg_has_role(session_user, oid, 'MEMBER'))`

/**
 * Selects the current role, the login role, and all roles that these can assume with `SET ROLE`. A superuser could assume any role, so it's
 * reported only as a superuser.
 */
const ACTING = `(SELECT role.oid, role.rolsuper FROM pg_catalog.pg_roles AS role WHERE role.rolname IN (current_user, session_user)
  OR EXISTS (SELECT FROM ${ROLES} AND NOT rolsuper AND pg_has_role(pg_roles.oid, role.oid, 'MEMBER')))`

/** Leaves out temporary objects, which other sessions own, and, for a superuser, PostgreSQL's own schemas and relations. */
const LISTED = `nspname !~ '^pg_(toast_)?temp_' AND NOT (rolsuper AND nspname ~ '^(pg_|information_schema$)')`

/**
 * Selects rights to change rows and objects. Ownership counts, because owners can grant themselves more rights and drop with CASCADE. The
 * right to update `pg_settings` doesn't count: every role has it, and it allows no more than `SET` does.
 */
const WRITES = `
SELECT 'is a member of ' || rolname AS privilege FROM pg_catalog.pg_roles JOIN ${ACTING} AS role USING (oid) WHERE rolname = 'pg_write_all_data'
UNION ALL SELECT 'may create schemas' FROM ${ACTING} AS role WHERE has_database_privilege(role.oid, current_database(), 'CREATE')
UNION ALL SELECT 'may create in the schema ' || nspname FROM pg_catalog.pg_namespace AS schema, ${ACTING} AS role
  WHERE ${LISTED} AND (nspowner = role.oid OR has_schema_privilege(role.oid, schema.oid, 'CREATE'))
UNION ALL (SELECT DISTINCT 'may change ' || relation.oid::regclass FROM pg_catalog.pg_class AS relation
  JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace, ${ACTING} AS role
  WHERE relkind IN ('r', 'p', 'v', 'f', 'm') AND relation.oid <> 'pg_catalog.pg_settings'::regclass AND ${LISTED}
  AND (relowner = role.oid
    OR has_table_privilege(role.oid, relation.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
    OR has_any_column_privilege(role.oid, relation.oid, 'INSERT, UPDATE')) ORDER BY 1)
UNION ALL SELECT 'owns the ' || type || ' ' || identity FROM ${ACTING} AS role
  JOIN pg_catalog.pg_shdepend ON refclassid = 'pg_catalog.pg_authid'::regclass AND refobjid = role.oid AND deptype = 'o',
  LATERAL pg_identify_object(classid, objid, objsubid)
  WHERE dbid IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())) AND coalesce(schema, '') !~ '^pg_temp'
  AND classid <> ALL (
    '{pg_catalog.pg_class,pg_catalog.pg_namespace,pg_catalog.pg_default_acl,pg_catalog.pg_largeobject,pg_catalog.pg_user_mapping}'::regclass[])`

/**
 * Lists what the client's role may do in addition to reading, such as `is a superuser` or `may change orders`. An empty list means that the
 * role is safe for a model. A read-only transaction prevents most of these actions, but a superuser can still read files and run programs.
 */
export async function findWritePrivileges(client: SqlClient): Promise<readonly string[]> {
  return findRisks(client, { readOnly: true })
}

/** Like `findWritePrivileges`, but with `readOnly: false`, the right to change rows and tables doesn't count as a risk. */
export async function findRisks(client: SqlClient, { readOnly }: { readOnly: boolean }): Promise<readonly string[]> {
  const limits = { readOnly: true, maxRows: 1000, maxBytes: 1_000_000, timeoutMs: 10_000 }
  // The current role and the login role may have the same privilege.
  const found = new Set<string>()
  for (const sql of readOnly ? [POWERS, WRITES] : [POWERS]) {
    const { rows } = await client.run({ sql, ...limits })
    for (const [privilege] of rows) found.add(String(privilege))
  }
  return [...found]
}
