// Exits with 0 when the service can answer. A worker has no port: that its process runs is all that can be asked.
const { ROLE, PORT } = process.env;

if (ROLE !== 'worker') {
  const response = await fetch(`http://127.0.0.1:${PORT || 3000}/health/ready`);
  process.exitCode = response.ok ? 0 : 1;
}
