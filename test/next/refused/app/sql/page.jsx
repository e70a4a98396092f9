'use client';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';

export default function Page() {
  return <p>{typeof sqlOrderStore}</p>;
}
