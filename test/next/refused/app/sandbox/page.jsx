'use client';
import { startSandbox } from '@partner-ramp/react/sandbox';

export default function Page() {
  return <p>{typeof startSandbox}</p>;
}
