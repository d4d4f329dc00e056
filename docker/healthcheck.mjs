// Exits with 0 if the service can serve requests. A worker has no port, so it is healthy as long as its process runs.
const { ROLE, PORT } = process.env;

if (ROLE !== 'worker') {
  const response = await fetch(`http://127.0.0.1:${PORT || 3000}/health/ready`);
  process.exitCode = response.ok ? 0 : 1;
}
