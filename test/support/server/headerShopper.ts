/** A `getShopper` for tests: the id is the header `x-user`, and nobody is signed in without it. */
export function getHeaderShopper({ request }: { readonly request: Request }) {
  const id = request.headers.get('x-user');
  return id ? { id } : undefined;
}
