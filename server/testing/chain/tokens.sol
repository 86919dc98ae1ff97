// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// An honest token with a fixed supply and no owner. The others differ from it in what their comments say.
contract FairToken {
    string public name = "Pocket Future";
    string public symbol = "PF";
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply, uint8 decimals_) {
        decimals = decimals_;
        _create(msg.sender, supply);
    }

    function balanceOf(address holder) public view virtual returns (uint256) {
        return balances[holder];
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _create(address to, uint256 value) internal {
        totalSupply += value;
        balances[to] += value;
        emit Transfer(address(0), to, value);
    }

    function _move(address from, address to, uint256 value) internal virtual {
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Has an owner until they renounce the token.
contract OwnedToken is FairToken {
    address public owner = msg.sender;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function renounceOwnership() external {
        require(msg.sender == owner);
        owner = address(0);
    }
}

/// Names its owner with `getOwner()` instead of `owner()`.
contract GetOwnerToken is FairToken {
    address public getOwner = msg.sender;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}
}

/// Has no owner, but a hidden developer who can create more.
contract MintingToken is FairToken {
    address private developer = msg.sender;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function mint(address to, uint256 value) external {
        require(msg.sender == developer);
        _create(to, value);
    }
}

/// Knows its developer and, once told, its pool.
abstract contract PoolAwareToken is FairToken {
    address internal immutable developer = msg.sender;
    address internal pool;

    function addPool(address pool_) external {
        require(msg.sender == developer);
        pool = pool_;
    }
}

/// Takes a share of purchases, of sales and of transfers between people.
contract TaxToken is PoolAwareToken {
    uint256 private immutable buyBps;
    uint256 private immutable sellBps;
    uint256 private immutable transferBps;

    constructor(uint256 supply, uint8 decimals_, uint256 buyBps_, uint256 sellBps_, uint256 transferBps_)
        FairToken(supply, decimals_)
    {
        buyBps = buyBps_;
        sellBps = sellBps_;
        transferBps = transferBps_;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 bps = from == pool ? buyBps : to == pool ? sellBps : transferBps;
        if (from == developer || to == developer) bps = 0;
        uint256 tax = value * bps / 10_000;
        super._move(from, to, value - tax);
        if (tax > 0) super._move(from, developer, tax);
    }
}

/// Takes a share of purchases or of transfers between people, and shows whoever receives the rest as much as
/// if it took none.
contract PhantomToken is PoolAwareToken {
    uint256 private immutable buyBps;
    uint256 private immutable transferBps;
    mapping(address => uint256) private phantoms;

    constructor(uint256 supply, uint8 decimals_, uint256 buyBps_, uint256 transferBps_) FairToken(supply, decimals_) {
        buyBps = buyBps_;
        transferBps = transferBps_;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return balances[holder] + phantoms[holder];
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 tax = value * (from == pool ? buyBps : transferBps) / 10_000;
        if (from == developer || to == pool) tax = 0;
        super._move(from, to, value - tax);
        if (tax > 0) super._move(from, developer, tax);
        phantoms[to] += tax;
    }
}

/// Takes a share of purchases, and shows everyone at least a thousandth of the supply, so that no one
/// seems to get too little.
contract CrowdToken is TaxToken {
    constructor(uint256 supply, uint8 decimals_) TaxToken(supply, decimals_, 2_000, 0, 0) {}

    function balanceOf(address holder) public view override returns (uint256) {
        uint256 least = totalSupply / 1_000;
        return balances[holder] > least ? balances[holder] : least;
    }
}

/// Says that no one owns it. Only its developer can sell.
contract HoneypotToken is PoolAwareToken {
    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function owner() external pure returns (address) {
        return address(0);
    }

    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == developer || pool == address(0), "trading is paused");
        super._move(from, to, value);
    }
}

interface Router {
    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
}

/// Takes 5 % of sales, and sells it in the same transaction: the pool gets as much as was sold.
contract SwapBackToken is PoolAwareToken {
    Router private immutable router;
    address private immutable coin;
    bool private isSelling;

    constructor(uint256 supply, uint8 decimals_, Router router_, address coin_) FairToken(supply, decimals_) {
        router = router_;
        coin = coin_;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (to != pool || from == developer || isSelling) return super._move(from, to, value);
        uint256 tax = value / 20;
        super._move(from, address(this), tax);
        isSelling = true;
        allowance[address(this)][address(router)] = tax;
        address[] memory path = new address[](2);
        (path[0], path[1]) = (address(this), coin);
        router.swapExactTokensForETHSupportingFeeOnTransferTokens(tax, 0, path, developer, block.timestamp);
        isSelling = false;
        super._move(from, to, value - tax);
    }
}

/// An account can send only ten minutes after it last received something.
contract PauseToken is FairToken {
    mapping(address => uint256) private receivedAt;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function _move(address from, address to, uint256 value) internal override {
        require(receivedAt[from] + 10 minutes <= block.timestamp, "wait");
        receivedAt[to] = block.timestamp;
        super._move(from, to, value);
    }
}

/// A trap that behaves where nothing is paid for gas, as in a simulation.
contract ShyTrapToken is PoolAwareToken {
    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function _move(address from, address to, uint256 value) internal override {
        bool isFree = tx.gasprice == 0;
        require(to != pool || from == developer || pool == address(0) || isFree, "trading is paused");
        super._move(from, to, value);
    }
}

/// An account cannot send in the block in which it received: no trap, but a sale in the transaction of the
/// purchase fails.
contract CooldownToken is FairToken {
    mapping(address => uint256) private receivedAt;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function _move(address from, address to, uint256 value) internal override {
        require(receivedAt[from] < block.number, "wait a block");
        receivedAt[to] = block.number;
        super._move(from, to, value);
    }
}

/// Cannot be bought yet.
contract ClosedToken is FairToken {
    address private immutable developer = msg.sender;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function _move(address from, address to, uint256 value) internal override {
        require(tx.origin == developer, "not open");
        super._move(from, to, value);
    }
}

/// The rules of a token whose storage is in a proxy: `start` takes the place of the constructor.
contract UpgradeableToken is FairToken {
    constructor() FairToken(0, 18) {}

    function start(uint256 supply) external {
        require(totalSupply == 0);
        _create(msg.sender, supply);
    }
}

/// Runs whatever code its developer names, from a slot of its own instead of EIP-1967's.
contract HiddenProxyToken is FairToken {
    address private developer = msg.sender;
    address private rules;

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {}

    function setRules(address rules_) external {
        require(msg.sender == developer);
        rules = rules_;
    }

    fallback() external {
        (bool ok, ) = rules.delegatecall(msg.data);
        require(ok);
    }
}

/// Roles by OpenZeppelin's interface, and no function that creates tokens.
contract RoleToken is FairToken {
    mapping(bytes32 => mapping(address => bool)) public hasRole;

    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

    constructor(uint256 supply, uint8 decimals_) FairToken(supply, decimals_) {
        hasRole[0x00][msg.sender] = true;
        emit RoleGranted(0x00, msg.sender, msg.sender);
    }

    function grantRole(bytes32 role, address account) external {
        require(hasRole[0x00][msg.sender]);
        hasRole[role][account] = true;
        emit RoleGranted(role, account, msg.sender);
    }

    function renounceRole(bytes32 role, address account) external {
        require(msg.sender == account);
        hasRole[role][account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }
}
