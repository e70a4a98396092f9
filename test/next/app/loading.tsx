export default function Loading() {
  return <p>Der Laden öffnet …</p>;
}
