// Stands for one process of the host: loads the function, responds to one request, and ends.
process.once('message', async ({ url, method, headers, body }) => {
  const { default: respond } = await import('./function.js');
  const work = [];
  const request = new Request(url, { method, headers, body });
  const response = await respond(request, { waitUntil: (each) => work.push(each) });
  const sent = [...response.headers];
  process.send({
    status: response.status,
    headers: sent,
    body: new Uint8Array(await response.arrayBuffer()),
  });
  await Promise.all(work);
  process.exit();
});
