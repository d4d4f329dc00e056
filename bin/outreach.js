#!/usr/bin/env node
'use strict';
// Old versions of Node must be able to read this file and supported-node.js, or they print a stack: no newer syntax.

if (require('./supported-node.js').isSupported()) require('./start.js');
