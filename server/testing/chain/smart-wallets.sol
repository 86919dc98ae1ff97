// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A wallet of several owners, like Safe: accepts their concatenated signatures (ERC-1271).
contract SharedWallet {
    address[] private owners;

    constructor(address[] memory owners_) {
        owners = owners_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signatures) external view returns (bytes4) {
        require(signatures.length == 65 * owners.length, "one signature per owner");
        for (uint256 i = 0; i < owners.length; i++) {
            bytes calldata part = signatures[65 * i:65 * (i + 1)];
            address signer = ecrecover(hash, uint8(part[64]), bytes32(part[:32]), bytes32(part[32:64]));
            if (signer == address(0) || signer != owners[i]) return 0xffffffff;
        }
        return 0x1626ba7e;
    }
}

/// Accepts an empty signature for messages that were approved on the chain before.
contract ApprovingWallet {
    mapping(bytes32 => bool) private approved;

    function approve(bytes32 hash) external {
        approved[hash] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return signature.length == 0 && approved[hash] ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Accepts everything, but returns `true` instead of the magic value of ERC-1271.
contract CarelessWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bool) {
        return true;
    }
}

/// Returns a word that begins with the magic value and has another bit set after it.
contract PaddedWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes32) {
        return bytes32(bytes4(0x1626ba7e)) | bytes32(uint256(1));
    }
}

/// Has no functions, so that every call reverts.
contract DeafWallet {}

/// Accepts every call and returns nothing.
contract SilentWallet {
    fallback() external {}
}

/// Accepts everything, given more gas than verifying signatures takes.
contract GreedyWallet {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return gasleft() > 10_000_000 ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Never answers.
contract EndlessWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        while (true) {}
    }
}
