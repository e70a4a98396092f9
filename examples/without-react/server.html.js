import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { app } from './ramp.js';

// The element and its stylesheet, as files for browsers. A CDN serves them too.
const element = import.meta.resolve('@partner-ramp/react/browser/ramp-button.js');
app.use('/ramp', express.static(fileURLToPath(new URL('.', element))));
const html = await readFile(new URL('html/index.html', import.meta.url), 'utf8');
const page = html.replace('https://pay.example', process.env.RAMP_WIDGET_URL);
app.get('/', (_, response) => response.send(page));
