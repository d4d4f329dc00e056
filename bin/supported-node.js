'use strict';
// Prints one line and ends with exit code 1 if this version of Node cannot run the service: `node bin/supported-node.js`
// or `isSupported()`. Old versions must be able to read this file: ECMAScript 5, and no packages.

/** Whether this version is in the range of "engines" in package.json. If not, says so and sets the exit code. */
exports.isSupported = function () {
  var version = process.versions.node.split('.').map(Number);
  var major = version[0];
  var minor = version[1];
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major > 22) return true;
  console.error('Node ' + process.versions.node + ' is too old: install Node 22.13 or newer, or 20.19, and try again.');
  process.exitCode = 1;
  return false;
};

if (require.main === module && !exports.isSupported()) process.exit(1);
