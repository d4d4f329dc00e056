// Contacts as they are in life: names that repeat, companies, some fields empty, spread over a year.
export async function seedContacts(stage, count) {
  await stage.database.query(
    `INSERT INTO contacts (workspace_id, email, first_name, last_name, company, job_title, linkedin_url,
       lifecycle_stage, status, created_at, updated_at)
     SELECT $1, lower(f.name || '.' || l.name || n || '@' || c.name || '.example'), f.name, l.name, c.name,
       CASE WHEN n % 4 > 0 THEN 'Head of ' || c.name END,
       CASE WHEN n % 10 > 2 THEN 'https://www.linkedin.example/in/' || n END,
       (ARRAY['subscriber', 'lead', 'customer', 'other'])[1 + n % 4],
       CASE WHEN n % 50 = 0 THEN 'unsubscribed' WHEN n % 97 = 0 THEN 'bounced' ELSE 'active' END,
       now() - make_interval(secs => n * 30), now() - make_interval(secs => n * 30)
     FROM generate_series(1, $2::int) n
     CROSS JOIN LATERAL (SELECT 'First' || (n::bigint * 7919) % 997 AS name) f
     CROSS JOIN LATERAL (SELECT 'Last' || (n::bigint * 104729) % 9973 AS name) l
     CROSS JOIN LATERAL (SELECT 'company' || (n * 31) % 4999 AS name) c`,
    [stage.workspaceId, count],
  );
  await stage.database.query('VACUUM ANALYZE contacts');
}
